# DBI and dbplyr, by RPostgreSQL: Rscript client.R PORT USER all|only QUESTION..., prints JSON.
suppressPackageStartupMessages({ library(DBI); library(dplyr); library(jsonlite) })

told <- commandArgs(trailingOnly = TRUE)
con <- dbConnect(
  RPostgreSQL::PostgreSQL(), host = "127.0.0.1", port = as.integer(told[1]), user = told[2],
  password = Sys.getenv("PGPASSWORD"), dbname = "shop", options = "-c dp_replay=off"
)

# Its dbGetQuery takes a query's error for a warning, and answers NULL.
rows_of <- function(sql) {
  found <- fetch(dbSendQuery(con, sql), n = -1)
  lapply(seq_len(nrow(found)), function(n) unname(as.list(found[n, ])))
}
answer <- function(sql) tryCatch(
  list(rows = rows_of(sql)), error = function(error) list(text = conditionMessage(error))
)

said <- list(answers = lapply(told[-(1:3)], answer))
if (told[3] == "all") {
  visits <- suppressWarnings(tbl(con, "visits"))
  once <- function() pull(collect(summarise(filter(visits, page == "home", age < 48), n = n())), n)
  said$counted <- c(once(), once())
  pages <- tbl(con, "pages")
  said$title <- pull(filter(pages, page == "shop"), title)
  dbBegin(con)
  said$inside <- dbGetQuery(con, "SELECT count(*) AS n FROM pages")$n
  dbCommit(con)
  schema <- dbGetQuery(con, paste(
    "SELECT column_name, data_type FROM information_schema.columns",
    "WHERE table_schema = 'public' AND table_name = 'visits' ORDER BY ordinal_position"
  ))
  said$schema <- unname(as.matrix(schema))
  said$columns <- colnames(visits)
  said$tables <- sort(dbListTables(con))
  said$head <- tryCatch(collect(head(visits)), error = function(error) conditionMessage(error))
}
invisible(dbDisconnect(con))
cat(toJSON(said, auto_unbox = TRUE, digits = NA), "\n")
