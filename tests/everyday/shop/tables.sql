-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE products (product_id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR, list_price DECIMAL(8,2), weight_kg DOUBLE);
INSERT INTO products
SELECT i, (['Lamp','Chair','Mug','Novel','Headphones','Jacket','Desk','Puzzle','Kettle','Backpack'])[1 + (i % 10)] || ' ' || i,
  (['home','home','kitchen','books','electronics','clothing','home','toys','kitchen','clothing'])[1 + (i % 10)],
  ((499 + (i * 7919) % 19000) / 100.0)::DECIMAL(8,2), round(((i * 31) % 90) / 10.0 + 0.1, 1)
FROM range(1, 41) t(i);

CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, email VARCHAR, city VARCHAR, address STRUCT(street VARCHAR, zip VARCHAR, country VARCHAR), segment ENUM('consumer','corporate','small_business'), registered_on DATE, birth_date DATE, newsletter BOOLEAN);
INSERT INTO customers
SELECT i,
  (['Ana','Bob','Chloe','Dev','Ella','Farid','Grace','Hugo','Ines','Jan'])[1 + (hash(hash(i,201))%10)::INT],
  (['Smith','Garcia','Miller','Khan','Rossi','Novak','Dubois','Berg'])[1 + (hash(hash(i,202))%8)::INT],
  CASE WHEN hash(hash(i,203))%15 = 0 THEN NULL ELSE 'c' || i || '@' || (['Gmail.com','gmail.com','yahoo.com','corp.example'])[1 + (hash(hash(i,204))%4)::INT] END,
  (['Paris','Lyon','Berlin','Hamburg','Madrid','Milan','Vienna'])[1 + (hash(hash(i,205))%7)::INT],
  {'street': (hash(hash(i,206))%200)::VARCHAR || ' Main St', 'zip': lpad((hash(hash(i,207))%99999)::VARCHAR, 5, '0'), 'country': (['FR','FR','DE','DE','ES','IT','AT'])[1 + (hash(hash(i,205))%7)::INT]},
  (['consumer','consumer','consumer','corporate','small_business'])[1 + (hash(hash(i,208))%5)::INT],
  DATE '2024-01-01' + (hash(hash(i,209))%500)::INT,
  CASE WHEN hash(hash(i,210))%10 = 0 THEN NULL ELSE DATE '1950-01-01' + (hash(hash(i,211))%20000)::INT END,
  CASE WHEN hash(hash(i,212))%20 = 0 THEN NULL ELSE hash(hash(i,213))%2 = 0 END
FROM range(1, 701) t(i);

CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, ordered_at TIMESTAMP, status VARCHAR, payment_method VARCHAR, shipping DECIMAL(6,2), coupon VARCHAR, shipped_on DATE);
INSERT INTO orders
SELECT c.id * 20 + k, c.id,
  c.registered_on::TIMESTAMP + to_days((k * (10 + hash(hash(c.id,221))%60) + hash(hash(c.id,k,222))%9)::INT) + to_minutes((hash(hash(c.id,k,223))%1440)::INT),
  (['completed','completed','completed','completed','completed','cancelled','returned','pending'])[1 + (hash(hash(c.id,k,224))%8)::INT],
  (['card','card','paypal','transfer'])[1 + (hash(hash(c.id,k,225))%4)::INT],
  ((hash(hash(c.id,k,226))%4) * 2.95)::DECIMAL(6,2),
  CASE WHEN hash(hash(c.id,k,227))%6 = 0 THEN (['WELCOME10','SUMMER','VIP'])[1 + (hash(hash(c.id,k,228))%3)::INT] END,
  CASE WHEN hash(hash(c.id,k,224))%8 < 5 OR hash(hash(c.id,k,224))%8 = 6 THEN c.registered_on + (k * (10 + hash(hash(c.id,221))%60) + hash(hash(c.id,k,222))%9 + 1 + hash(hash(c.id,k,229))%7)::INT END
FROM customers c, range(0, 12) r(k)
WHERE hash(hash(c.id,230))%9 > 0 AND k <= hash(hash(c.id, 220)) % 9;

CREATE TABLE order_items (order_id INTEGER, line_no INTEGER, product_id INTEGER, quantity INTEGER, unit_price DECIMAL(8,2), discount DOUBLE);
INSERT INTO order_items
SELECT o.id, l + 1, p.product_id, (1 + hash(hash(o.id,l,241))%4)::INT, p.list_price, (hash(hash(o.id,l,242))%4) * 0.05
FROM orders o, range(0, 4) r(l), products p
WHERE l <= hash(hash(o.id,243))%4 AND p.product_id = 1 + ((hash(hash(o.id,l,244))%40) * (hash(hash(o.id,l,245))%40)) // 40;
