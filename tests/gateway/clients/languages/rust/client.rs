//! tokio-postgres: client PORT USER all|only QUESTION..., the password in PGPASSWORD; prints JSON.

use serde_json::{json, Value};
use tokio_postgres::{Client, Config, Error, NoTls, SimpleQueryMessage};

async fn answer(db: &Client, sql: &str) -> Result<Value, Error> {
    let messages = match db.simple_query(sql).await {
        Ok(messages) => messages,
        Err(error) => return refusal(error),
    };
    let mut rows = Vec::new();
    for message in messages {
        if let SimpleQueryMessage::Row(row) = message {
            rows.push((0..row.len()).map(|n| json!(row.get(n))).collect::<Vec<_>>());
        }
    }
    Ok(json!({ "rows": rows }))
}

fn refusal(error: Error) -> Result<Value, Error> {
    match error.as_db_error() {
        Some(said) => Ok(json!({
            "sqlstate": said.code().code(), "message": said.message(),
            "detail": said.detail(), "hint": said.hint(),
        })),
        None => Err(error),
    }
}

async fn look(db: &mut Client) -> Result<Value, Error> {
    let counted = db.prepare("SELECT count(*) AS n FROM visits WHERE page = $1 AND age < $2").await?;
    let mut counts = Vec::new();
    for _ in 0..2 {
        let row = db.query_one(&counted, &[&"home", &48i32]).await?;
        counts.push(row.get::<_, i64>(0));
    }
    let title = db.query_one("SELECT title FROM pages WHERE page = $1", &[&"shop"]).await?;
    let columns = "big, double, flag, list, names, bytes, text";
    let kinds = db.query_one(&format!("SELECT {columns} FROM kinds ORDER BY id LIMIT 1"), &[]).await?;
    let none = db.query_one("SELECT price FROM kinds ORDER BY id DESC LIMIT 1", &[]).await;
    let listed = "SELECT column_name::text, data_type::text FROM information_schema.columns \
        WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position";
    let schema = db.query(listed, &[&"public", &"visits"]).await?;
    let inside = db.transaction().await?;
    let pages = inside.query_one("SELECT count(*) FROM pages", &[]).await?;
    inside.commit().await?;
    Ok(json!({
        "counted": counts,
        "title": title.get::<_, String>(0),
        "kinds": [
            json!(kinds.get::<_, i64>(0)), json!(kinds.get::<_, f64>(1)), json!(kinds.get::<_, bool>(2)),
            json!(kinds.get::<_, Vec<Option<i32>>>(3)), json!(kinds.get::<_, Vec<Option<String>>>(4)),
            json!(kinds.get::<_, Vec<u8>>(5)), json!(kinds.get::<_, String>(6)),
        ],
        "columns": counted.columns().iter().map(|c| c.type_().name().to_string()).collect::<Vec<_>>(),
        "parameters": counted.params().iter().map(|kind| kind.name().to_string()).collect::<Vec<_>>(),
        "numeric": none?.columns()[0].type_().name(),
        "schema": schema.iter().map(|row| (row.get(0), row.get(1))).collect::<Vec<(String, String)>>(),
        "inside": pages.get::<_, i64>(0),
    }))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let told: Vec<String> = std::env::args().skip(1).collect();
    let (mut db, connection) = Config::new()
        .host("127.0.0.1")
        .port(told[0].parse()?)
        .user(&told[1])
        .password(std::env::var("PGPASSWORD")?)
        .dbname("shop")
        .options("-c dp_replay=off")
        .connect(NoTls)
        .await?;
    tokio::spawn(connection);
    let mut answers = Vec::new();
    for sql in &told[3..] {
        answers.push(answer(&db, sql).await?);
    }
    let mut said = json!({ "answers": answers });
    if told[2] == "all" {
        said["looks"] = look(&mut db).await?;
    }
    println!("{said}");
    Ok(())
}
