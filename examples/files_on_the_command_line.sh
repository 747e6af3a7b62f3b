#!/usr/bin/env bash
# Private answers from a folder of CSV files, by the command alone: bash examples/files_on_the_command_line.sh
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

# A file for each year. Visitor i sees the page `home`, each second one `news` too, each fourth one `shop`.
mkdir -p visits/year=2023 visits/year=2024
for year in 2023 2024; do
  awk 'BEGIN { print "visitor,page"
    for (i = 1; i <= 4000; i++) { print i ",home"; if (i % 2 == 0) print i ",news"; if (i % 4 == 0) print i ",shop" } }' \
    > "visits/year=$year/visits.csv"
done

private=(--unit visitor --domain page=home,news,shop --epsilon 0.5)
query="SELECT page, count(*) AS n FROM visits WHERE year = 2024 GROUP BY page ORDER BY n DESC LIMIT 2"

dpduck explain visits "${private[@]}" "$query" | sed -n 1,9p # what it would do and cost: free
dpduck query visits "${private[@]}" --budget 1 --format csv "$query"
dpduck query visits "${private[@]}" --budget 1 --format csv "$query" # the same answer again: free
dpduck query visits "${private[@]}" --budget 1 --format csv "SELECT count(*) AS visitors FROM visits"
dpduck query visits "${private[@]}" --budget 1 "SELECT mode(page) FROM visits" || echo "refused: the budget is spent"
dpduck budget visits
dpduck ledger visits --verify
