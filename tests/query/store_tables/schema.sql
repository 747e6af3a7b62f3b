CREATE TABLE countries (code VARCHAR PRIMARY KEY, country VARCHAR, continent VARCHAR);
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, city VARCHAR, code VARCHAR, opened DATE);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, title VARCHAR, category VARCHAR, price DECIMAL(9,2));
CREATE TABLE calendar (day DATE, holiday BOOLEAN, season VARCHAR);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, email VARCHAR, plan VARCHAR,
    tier ENUM('bronze', 'silver', 'gold'), born DATE, newsletter BOOLEAN, income INTEGER);
CREATE TABLE orders (order_id BIGINT PRIMARY KEY, customer_id INTEGER, store_id INTEGER, ordered TIMESTAMP,
    status VARCHAR, total DECIMAL(9,2));
CREATE TABLE items (order_id BIGINT, product_id INTEGER, quantity INTEGER, discount DOUBLE);
CREATE TABLE tickets (customer_id INTEGER, opened DATE, topic VARCHAR, stars INTEGER);
CREATE TABLE clicks (visitor VARCHAR, page VARCHAR, clicked TIMESTAMP, seconds DOUBLE, bytes INTEGER,
    device VARCHAR);
CREATE VIEW paid_orders AS SELECT * FROM orders WHERE status = 'paid';
CREATE VIEW order_facts AS
    SELECT o.order_id, o.customer_id, o.ordered, o.status, o.total, s.city, s.code
    FROM orders AS o JOIN stores AS s ON o.store_id = s.store_id;
CREATE VIEW people(id, level, wants_mail) AS SELECT customer_id, tier, newsletter FROM customers;
CREATE VIEW cities AS SELECT city, code FROM stores;
