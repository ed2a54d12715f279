// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.profile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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

  private static final String OPERATORS = "operator";
  private static final long NONE = -1;

  /** The engine has planned the query, so its depth is none to be afraid of. */
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
              .build());

  private final List<OperatorRows> operators = new ArrayList<>();

  private QueryProfile() {}

  /**
   * The operators of the last query, without those that give what they read; empty when its
   * connection measures nothing. The query has ended, or what it has measured so far is told.
   *
   * <p>Each character beyond U+FFFF that a plan names, such as in a text that is compared, costs
   * the engine's account the last three characters. More than two thousand follow the operators;
   * when a plan names so many that operators are lost, none is told.
   *
   * @throws SQLException when the connection is closed, or tells something else
   */
  public static List<OperatorRows> of(Connection database) throws SQLException {
    String json =
        database.unwrap(DuckDBConnection.class).getProfilingInformation(ProfilerPrintFormat.JSON);
    QueryProfile profile = new QueryProfile();
    try (JsonParser account = MAPPER.createParser(json)) {
      while (account.nextToken() != null) {
        if (OPERATORS.equals(account.currentName())
            && account.nextToken() == JsonToken.START_ARRAY) {
          profile.addAll(account.readValueAsTree());
          break;
        }
      }
    } catch (JsonEOFException e) {
      return List.of();
    } catch (IOException e) {
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
                estimated(node.path("extra_info").path("Estimated Cardinality")),
                node.path("intermediate_rows").asLong()));
      }
      addAll(node.path("children"));
    }
  }

  /** None where the engine estimates 2^63 rows or more, as it does of products of many tables. */
  private static OptionalLong estimated(JsonNode rows) {
    long estimated = rows.asLong(NONE);
    return estimated == NONE ? OptionalLong.empty() : OptionalLong.of(estimated);
  }
}
