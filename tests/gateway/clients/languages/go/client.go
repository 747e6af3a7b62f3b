// pgx: client PORT USER all|only QUESTION..., the password in PGPASSWORD; prints JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
)

type object = map[string]interface{}

func rows(db *pgx.Conn, sql string, values ...interface{}) ([][]interface{}, error) {
	found, err := db.Query(context.Background(), sql, values...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all := [][]interface{}{}
	for found.Next() {
		row, err := found.Values()
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, found.Err()
}

func answer(db *pgx.Conn, sql string) object {
	all, err := rows(db, sql)
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return object{"sqlstate": said.Code, "message": said.Message, "detail": said.Detail, "hint": said.Hint}
	}
	check(err)
	return object{"rows": all}
}

func look(db *pgx.Conn, said object) {
	ctx := context.Background()
	_, err := db.Prepare(ctx, "counted", "SELECT count(*) AS n FROM visits WHERE page = $1 AND age < $2")
	check(err)
	counted := []int64{0, 0}
	for n := range counted {
		check(db.QueryRow(ctx, "counted", "home", 48).Scan(&counted[n]))
	}
	said["counted"] = counted
	var title string
	check(db.QueryRow(ctx, "SELECT title FROM pages WHERE page = $1", "shop").Scan(&title))
	said["title"] = title
	var big int64
	var price, double float64
	var list []*int32
	var names []*string
	var bytes []byte
	columns := "big, price, double, list, names, bytes"
	check(db.QueryRow(ctx, "SELECT "+columns+" FROM kinds ORDER BY id LIMIT 1").Scan(
		&big, &price, &double, &list, &names, &bytes))
	said["kinds"] = []interface{}{big, price, double, list, names, fmt.Sprintf("%x", bytes)}
	schema, err := rows(db, "SELECT column_name, data_type FROM information_schema.columns "+
		"WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position", "public", "visits")
	check(err)
	said["schema"] = schema
	pages := &pgx.Batch{}
	for _, page := range []string{"home", "news"} {
		pages.Queue("SELECT title FROM pages WHERE page = $1", page)
	}
	sent := db.SendBatch(ctx, pages)
	batch := []string{"", ""}
	for n := range batch {
		check(sent.QueryRow().Scan(&batch[n]))
	}
	check(sent.Close())
	said["batch"] = batch
	inside, err := db.Begin(ctx)
	check(err)
	var count int
	check(inside.QueryRow(ctx, "SELECT count(*) FROM pages").Scan(&count))
	check(inside.Rollback(ctx))
	said["inside"] = count
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	port, user, what, questions := os.Args[1], os.Args[2], os.Args[3], os.Args[4:]
	source := fmt.Sprintf("host=127.0.0.1 port=%s user=%s dbname=shop options='-c dp_replay=off'", port, user)
	db, err := pgx.Connect(context.Background(), source)
	check(err)
	defer db.Close(context.Background())
	said := object{}
	answers := []object{}
	for _, sql := range questions {
		answers = append(answers, answer(db, sql))
	}
	said["answers"] = answers
	if what == "all" {
		look(db, said)
	}
	check(json.NewEncoder(os.Stdout).Encode(said))
}
