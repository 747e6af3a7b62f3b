import java.sql.*;
import java.util.*;

/** The questions on the command line, asked with pgJDBC, and what its metadata says: one JSON object. */
public class Client {
    static final StringBuilder out = new StringBuilder("{");

    public static void main(String[] given) throws SQLException {
        String url = given[0], password = given[1], own = given[2], broke = given[3];
        List<String> questions = Arrays.asList(given).subList(4, given.length);
        try (Connection session = connect(url, own, password)) {
            List<String> answers = new ArrayList<>();
            for (String question : questions) answers.add(ask(session, question));
            say("answers", "[" + String.join(",", answers) + "]");
            prepared(session);
            fetched(session);
            types(session);
            metadata(session.getMetaData());
        }
        try (Connection session = connect(url, broke, password)) {
            say("exhausted", ask(session, questions.get(questions.size() - 1)));
        }
        out.setCharAt(out.length() - 1, '}');
        System.out.println(out);
    }

    static Connection connect(String url, String user, String password) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("options", "-c dp_replay=off");
        return DriverManager.getConnection(url, properties);
    }

    static String ask(Connection session, String question) {
        try (Statement statement = session.createStatement()) {
            return rows(statement.executeQuery(question));
        } catch (SQLException error) {
            var said = ((org.postgresql.util.PSQLException) error).getServerErrorMessage();
            return "{\"sqlstate\":" + text(error.getSQLState()) + ",\"message\":" + text(said.getMessage())
                + ",\"detail\":" + text(said.getDetail()) + ",\"hint\":" + text(said.getHint()) + "}";
        }
    }

    /** One statement, described first, then run twice with values. */
    static void prepared(Connection session) throws SQLException {
        String counted = "SELECT page, count(*) AS n FROM visits WHERE age < ? AND day >= ? AND amount < ?"
            + " AND page = ANY(?) AND member = ? GROUP BY page ORDER BY page";
        try (PreparedStatement statement = session.prepareStatement(counted)) {
            ResultSetMetaData columns = statement.getMetaData();
            say("columns", text(columns.getColumnTypeName(1) + " " + columns.getColumnTypeName(2)));
            statement.setInt(1, 200);
            statement.setObject(2, java.time.LocalDate.of(2024, 1, 1));
            statement.setBigDecimal(3, new java.math.BigDecimal("100.5"));
            statement.setArray(4, session.createArrayOf("text", new String[] {"home", "shop"}));
            statement.setBoolean(5, true);
            say("first", rows(statement.executeQuery()));
            say("second", rows(statement.executeQuery()));
        }
        try (PreparedStatement statement = session.prepareStatement("SELECT id FROM kinds WHERE text = ?")) {
            statement.setString(1, "it's \"so\", \\");
            for (int time = 0; time < 7; time++) statement.executeQuery(); // the server keeps it from the fifth on
            say("quoted", rows(statement.executeQuery()));
        }
    }

    /** Rows a few at a time, which takes a transaction. */
    static void fetched(Connection session) throws SQLException {
        session.setAutoCommit(false);
        try (Statement statement = session.createStatement()) {
            statement.setFetchSize(100);
            ResultSet numbers = statement.executeQuery("SELECT n FROM archive.numbers ORDER BY n");
            int count = 0;
            while (numbers.next()) count++;
            say("fetched", String.valueOf(count));
            statement.setFetchSize(2);
            say("few", rows(statement.executeQuery("SELECT page, count(*) FROM visits GROUP BY page ORDER BY 1")));
        }
        session.commit();
        session.setAutoCommit(true);
    }

    static void types(Connection session) throws SQLException {
        try (Statement statement = session.createStatement()) {
            ResultSet row = statement.executeQuery("SELECT * FROM kinds ORDER BY id");
            row.next();
            say("big", String.valueOf(row.getLong("big")));
            say("huge", text(row.getBigDecimal("huge").toString()));
            say("moment", text(row.getObject("moment", java.time.LocalDateTime.class).toString()));
            say("instant", text(row.getObject("instant", java.time.OffsetDateTime.class).toInstant().toString()));
            say("day", text(row.getObject("day", java.time.LocalDate.class).toString()));
            say("code", text(row.getObject("code", UUID.class).toString()));
            say("bytes", String.valueOf(row.getBytes("bytes").length));
            say("list", text(Arrays.toString((Object[]) row.getArray("list").getArray())));
            row.next();
            say("null", text(row.getString("text")));
        }
    }

    static void metadata(DatabaseMetaData data) throws SQLException {
        say("product", text(data.getDatabaseProductName() + " " + data.getDatabaseMajorVersion()));
        say("tables", rows(data.getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME", "REMARKS"));
        say("details", rows(data.getColumns(null, null, "visits", "%"),
            "COLUMN_NAME", "TYPE_NAME", "DATA_TYPE", "ORDINAL_POSITION", "REMARKS"));
        say("keys", rows(data.getPrimaryKeys(null, "public", "pages"), "COLUMN_NAME", "PK_NAME"));
        say("kinds", rows(data.getTypeInfo(), "TYPE_NAME"));
        say("schemas", rows(data.getSchemas(), "TABLE_SCHEM"));
        say("catalogs", rows(data.getCatalogs(), "TABLE_CAT"));
        say("indexes", rows(data.getIndexInfo(null, "public", "pages", true, true), "COLUMN_NAME"));
        say("foreign", rows(data.getImportedKeys(null, "public", "visits"), "FKCOLUMN_NAME"));
        say("functions", rows(data.getFunctions(null, "public", "%"), "FUNCTION_NAME"));
    }

    static String rows(ResultSet rows, String... names) throws SQLException {
        List<String> all = new ArrayList<>();
        int count = names.length == 0 ? rows.getMetaData().getColumnCount() : names.length;
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 0; i < count; i++)
                row.add(text(names.length == 0 ? rows.getString(i + 1) : rows.getString(names[i])));
            all.add("[" + String.join(",", row) + "]");
        }
        return "[" + String.join(",", all) + "]";
    }

    static void say(String name, String json) {
        out.append(text(name)).append(":").append(json).append(",");
    }

    static String text(String said) {
        if (said == null) return "null";
        String quoted = said.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return "\"" + quoted + "\"";
    }
}
