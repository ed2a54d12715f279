// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.RelayChain;
import java.util.Optional;
import java.util.Set;

/**
 * Lets producers encode elements with the coder that the front end gave the edge. A relay hands on
 * bytes as they are.
 *
 * <pre>
 * before:  words --SHUFFLE (coder kv)--> relay --SHUFFLE (coder kv)--> count
 * after:   words --SHUFFLE Encoder kv--> relay --SHUFFLE Encoder raw bytes--> count
 * </pre>
 */
public final class EncoderPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Encoder.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return Annotator.edges(
        dag,
        Encoder.class,
        edge ->
            Optional.of(
                new Encoder(
                    RelayChain.startsAtRelay(dag, edge)
                        ? Encoder.RAW_BYTES
                        : edge.elementCoder())));
  }
}
