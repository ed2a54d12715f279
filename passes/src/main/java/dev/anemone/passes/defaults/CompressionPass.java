// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.RelayChain;
import java.util.Optional;
import java.util.Set;

/**
 * Compresses what is shuffled or broadcast, when {@link #COMPRESSION} says how. Compressed bytes
 * pass relays as they are.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words --SHUFFLE--> count
 * after:   lines --ONE_TO_ONE NONE--> words --SHUFFLE LZ4--> count         with compression=lz4
 * </pre>
 */
public final class CompressionPass implements AnnotatingPass {

  public static final PassOption<Compression> COMPRESSION =
      PassOption.choice(
          "compression", Compression.NONE, "how shuffled and broadcast data is compressed");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Compression.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(COMPRESSION);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Compression chosen = context.get(COMPRESSION);
    return Annotator.edges(
        dag,
        Compression.class,
        edge -> Optional.of(travels(dag, edge) ? chosen : Compression.NONE));
  }

  private static boolean travels(IRDag dag, IREdge edge) {
    return !RelayChain.startsAtRelay(dag, edge)
        && RelayChain.from(dag, edge).stream()
            .anyMatch(part -> part.pattern() != CommunicationPattern.ONE_TO_ONE);
  }
}
