// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A consumer decodes what was encoded. On an edge between vertices that look at elements, {@link
 * Encoder} and {@link Decoder} are equal. A relay may leave the bytes as they are: then the edge
 * into it decodes to {@link Encoder#RAW_BYTES}, the edge out of it encodes from them, and the end
 * of the chain decodes what its start encoded.
 */
public final class CoderRule implements CheckRule {

  @Override
  public String name() {
    return "coder";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      checkEnds(dag, edge, violations);
      for (IREdge previous : Relays.previous(dag, edge)) {
        checkRelay(previous, edge, violations);
      }
    }
    return violations.list();
  }

  private static void checkEnds(IRDag dag, IREdge edge, Violations violations) {
    if (isRaw(encoder(edge)) && !Relays.isRelay(dag, edge.from())) {
      violations.add(edge, "encodes raw bytes, but " + edge.from() + " is no relay");
    }
    if (isRaw(decoder(edge)) && !Relays.isRelay(dag, edge.to())) {
      violations.add(edge, "decodes to raw bytes, but " + edge.to() + " is no relay");
    }
    Optional<FunctionSpec> decoder = decoder(edge);
    if (decoder.isEmpty() || isRaw(decoder)) {
      return;
    }
    List<FunctionSpec> different =
        encodings(dag, edge).filter(spec -> !spec.equals(decoder.get())).distinct().toList();
    if (!different.isEmpty()) {
      violations.add(edge, "is decoded by " + decoder.get() + ", but was encoded by " + different);
    }
  }

  private static void checkRelay(IREdge in, IREdge out, Violations violations) {
    Optional<FunctionSpec> taken = decoder(in);
    Optional<FunctionSpec> given = encoder(out);
    if (taken.isPresent() && given.isPresent() && !Objects.equals(taken, given)) {
      violations.add(
          out,
          "leaves its relay encoded by "
              + given.get()
              + ", but the relay takes the data from edge "
              + in.id()
              + " decoded by "
              + taken.get()
              + "; both must be equal");
    }
  }

  /** What wrote the bytes that an edge brings, as far as it is known. */
  private static Stream<FunctionSpec> encodings(IRDag dag, IREdge edge) {
    return isRaw(encoder(edge))
        ? Relays.previous(dag, edge).stream().flatMap(previous -> encodings(dag, previous))
        : encoder(edge).stream();
  }

  private static Optional<FunctionSpec> encoder(IREdge edge) {
    return edge.property(Encoder.class).map(Encoder::spec);
  }

  private static Optional<FunctionSpec> decoder(IREdge edge) {
    return edge.property(Decoder.class).map(Decoder::spec);
  }

  private static boolean isRaw(Optional<FunctionSpec> spec) {
    return spec.equals(Optional.of(Encoder.RAW_BYTES));
  }
}
