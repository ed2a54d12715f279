// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.profile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.duckdb.DuckDBConnection;
import org.duckdb.ProfilerPrintFormat;

/** Reads what the engine has measured of the last query of a connection. */
public final class QueryProfile {

  /** They give what they read, row by row, and of some the engine counts nothing. */
  private static final Set<String> LEFT_OUT =
      Set.of("RESULT_COLLECTOR", "PROJECTION", "UNION", "CTE");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<OperatorRows> operators = new ArrayList<>();

  private QueryProfile() {}

  /**
   * The operators of the last query, without those that give what they read; empty when its
   * connection measures nothing. The query has ended, or what it has measured so far is told.
   *
   * @throws SQLException when the connection is closed, or tells something else
   */
  public static List<OperatorRows> of(Connection database) throws SQLException {
    String json =
        database.unwrap(DuckDBConnection.class).getProfilingInformation(ProfilerPrintFormat.JSON);
    QueryProfile profile = new QueryProfile();
    try {
      profile.addAll(MAPPER.readTree(json).path("operator"));
    } catch (JsonProcessingException e) {
      throw new SQLException("the engine's profile cannot be read: " + json, e);
    }
    return List.copyOf(profile.operators);
  }

  private void addAll(JsonNode nodes) {
    for (JsonNode node : nodes) {
      String name = node.path("type").asText();
      if (!LEFT_OUT.contains(name)) {
        operators.add(
            new OperatorRows(
                operators.size() + 1,
                name,
                estimated(node.path("extra_info").path("Estimated Cardinality").asText()),
                node.path("intermediate_rows").asLong()));
      }
      addAll(node.path("children"));
    }
  }

  private static OptionalLong estimated(String text) {
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }
}
