// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.RelayChain;
import java.util.Optional;
import java.util.Set;

/**
 * Lets consumers decode what the producer encoded, at the far end of relays if there are any. A
 * relay takes bytes as they are.
 *
 * <pre>
 * before:  words --SHUFFLE Encoder kv--> relay --SHUFFLE Encoder raw bytes--> count
 * after:   words --SHUFFLE Decoder raw bytes--> relay --SHUFFLE Decoder kv--> count
 * </pre>
 */
public final class DecoderPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Decoder.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(Encoder.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(EncoderPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return Annotator.edges(
        dag,
        Decoder.class,
        edge ->
            RelayChain.endsAtRelay(dag, edge)
                ? Optional.of(new Decoder(Encoder.RAW_BYTES))
                : RelayChain.first(dag, edge)
                    .property(Encoder.class)
                    .map(encoder -> new Decoder(encoder.spec())));
  }
}
