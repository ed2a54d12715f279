// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The job's graph after a pass.
 *
 * @param index 0 for the graph that the program was translated to, then one more for each pass
 * @param pass the path of the pass, as {@code explain} prints it; empty for the translated graph
 * @param changed whether the pass changed anything
 * @param notes what the pass says of what it did, or why it was skipped
 * @param dag the graph as {@link dev.anemone.ir.print.JsonPrinter} prints it; empty when the pass
 *     changed nothing. Must not be modified
 */
public record PlanMade(
    long time,
    int index,
    Optional<String> pass,
    boolean changed,
    List<String> notes,
    Optional<JsonNode> dag)
    implements JobEvent {

  public PlanMade {
    Objects.requireNonNull(pass, "pass");
    notes = Absent.list(notes);
    // An absent field of this type is read as JSON's null.
    dag = dag.filter(graph -> !graph.isNull());
  }
}
