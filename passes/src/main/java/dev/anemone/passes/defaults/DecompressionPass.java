// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.RelayChain;
import java.util.Optional;
import java.util.Set;

/**
 * Lets consumers decompress what the producer compressed, at the far end of relays if there are
 * any.
 *
 * <pre>
 * before:  words --SHUFFLE Compression LZ4--> relay --SHUFFLE Compression NONE--> count
 * after:   words --SHUFFLE Decompression NONE--> relay --SHUFFLE Decompression LZ4--> count
 * </pre>
 */
public final class DecompressionPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Decompression.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(Compression.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(CompressionPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return Annotator.edges(
        dag,
        Decompression.class,
        edge ->
            RelayChain.endsAtRelay(dag, edge)
                ? Optional.of(Decompression.NONE)
                : RelayChain.first(dag, edge)
                    .property(Compression.class)
                    .map(DecompressionPass::inverse));
  }

  private static Decompression inverse(Compression compression) {
    return switch (compression) {
      case NONE -> Decompression.NONE;
      case LZ4 -> Decompression.LZ4;
      case ZSTD -> Decompression.ZSTD;
    };
  }
}
