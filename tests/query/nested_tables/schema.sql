CREATE TABLE members (id INTEGER PRIMARY KEY, region VARCHAR, joined DATE,
    address STRUCT(city VARCHAR, country VARCHAR, geo STRUCT(lat DOUBLE, "north of" BOOLEAN)),
    languages VARCHAR[], scores INTEGER[], days DATE[], profile JSON);
CREATE TABLE baskets (member INTEGER, placed TIMESTAMP, place INTEGER, page VARCHAR,
    items STRUCT(sku VARCHAR, price DECIMAL(9,2))[], coupons VARCHAR[], payload JSON, raw VARCHAR);
CREATE TABLE cities (city VARCHAR PRIMARY KEY, facts STRUCT(country VARCHAR, sea BOOLEAN), names VARCHAR[]);
