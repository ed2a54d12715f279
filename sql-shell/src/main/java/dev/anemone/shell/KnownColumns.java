// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables and files that a statement names, and their columns. Not thread-safe. */
final class KnownColumns {
  private static final Logger LOG = LoggerFactory.getLogger(KnownColumns.class);

  private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", ",");

  private final SqlSession session;

  /** Of files, which are looked at once. */
  private final Map<String, Optional<Table>> files = new HashMap<>();

  KnownColumns(SqlSession session) {
    this.session = session;
  }

  /** The tables that were created. */
  List<String> tables() {
    return List.copyOf(session.tables().keySet());
  }

  /**
   * Columns of the tables of a statement; of all tables that were created where it names none.
   *
   * @param qualifier a table or what it is called in the statement; empty for all of them
   */
  List<String> of(String statement, String qualifier) {
    Map<String, Table> named = named(statement);
    if (!qualifier.isEmpty()) {
      Table table = named.get(qualifier.toLowerCase(Locale.ROOT));
      return table == null ? List.of() : table.getSchema().getFieldNames();
    }
    return (named.isEmpty() ? session.tables() : named)
        .values().stream()
            .flatMap(table -> table.getSchema().getFieldNames().stream())
            .distinct()
            .toList();
  }

  /** Tables by their names, and by what they are called, in small letters. */
  private Map<String, Table> named(String statement) {
    Map<String, Table> named = new LinkedHashMap<>();
    List<String> tokens = tokens(statement);
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (!BEFORE_TABLES.contains(tokens.get(i).toUpperCase(Locale.ROOT))) {
        continue;
      }
      Optional<Table> table = table(tokens.get(i + 1));
      if (table.isPresent()) {
        named.put(unquoted(tokens.get(i + 1)).toLowerCase(Locale.ROOT), table.get());
        int alias = i + 2;
        if (alias < tokens.size() && tokens.get(alias).equalsIgnoreCase("AS")) {
          alias++;
        }
        if (alias < tokens.size() && Character.isJavaIdentifierStart(tokens.get(alias).charAt(0))) {
          named.put(tokens.get(alias).toLowerCase(Locale.ROOT), table.get());
        }
      }
    }
    return named;
  }

  private static List<String> tokens(String statement) {
    List<String> tokens = new ArrayList<>();
    int start = SqlLexer.skipBlanks(statement, 0);
    while (start < statement.length()) {
      int end = SqlLexer.tokenEnd(statement, start);
      tokens.add(statement.substring(start, end));
      start = SqlLexer.skipBlanks(statement, end);
    }
    return tokens;
  }

  private Optional<Table> table(String token) {
    String name = unquoted(token);
    return token.startsWith("'") && token.length() > 2
        ? files.computeIfAbsent(name, KnownColumns::file)
        : Optional.ofNullable(session.tables().get(name));
  }

  private static Optional<Table> file(String name) {
    try {
      return Optional.of(FileTables.of(name));
    } catch (IOException | RuntimeException e) {
      // The statement will say it, if it is ever run.
      LOG.debug("The columns of {} are not known", name, e);
      return Optional.empty();
    }
  }

  private static String unquoted(String token) {
    boolean quoted =
        token.length() > 2
            && "'\"`".indexOf(token.charAt(0)) >= 0
            && token.charAt(token.length() - 1) == token.charAt(0);
    return quoted ? token.substring(1, token.length() - 1) : token;
  }
}
