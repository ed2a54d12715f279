// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.Decompression;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was compressed is decompressed the same way, once. On an edge between vertices that look at
 * elements, {@link Compression} and {@link Decompression} are the same. A relay may leave the bytes
 * compressed: then the edge into it has {@code Decompression.NONE}, the edge out of it {@code
 * Compression.NONE}, and the end of the chain decompresses.
 */
public final class CompressionRule implements CheckRule {

  @Override
  public String name() {
    return "compression";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      checkCompression(dag, edge, violations);
      checkDecompression(dag, edge, violations);
    }
    return violations.list();
  }

  private static void checkCompression(IRDag dag, IREdge edge, Violations violations) {
    Optional<Compression> compression = edge.property(Compression.class);
    if (compression.isEmpty() || compression.get() == Compression.NONE) {
      return;
    }
    for (IREdge previous : Relays.previous(dag, edge)) {
      leftOver(dag, previous)
          .filter(left -> left != Compression.NONE)
          .distinct()
          .forEach(
              left ->
                  violations.add(
                      edge,
                      "compresses by "
                          + compression.get()
                          + " what edge "
                          + previous.id()
                          + " brought compressed by "
                          + left
                          + " and did not decompress"));
    }
  }

  private static void checkDecompression(IRDag dag, IREdge edge, Violations violations) {
    Optional<Decompression> decompression = edge.property(Decompression.class);
    if (decompression.isEmpty()) {
      return;
    }
    boolean mayStayCompressed =
        decompression.get() == Decompression.NONE && Relays.isRelay(dag, edge.to());
    List<Compression> different =
        onTheWay(dag, edge)
            .filter(found -> !found.name().equals(decompression.get().name()))
            .distinct()
            .toList();
    if (!mayStayCompressed && !different.isEmpty()) {
      violations.add(
          edge, "is decompressed by " + decompression.get() + ", but compressed by " + different);
    }
  }

  /** How the bytes on an edge are compressed, as far as it is known. */
  private static Stream<Compression> onTheWay(IRDag dag, IREdge edge) {
    Optional<Compression> compression = edge.property(Compression.class);
    return compression.equals(Optional.of(Compression.NONE)) && Relays.isRelay(dag, edge.from())
        ? Relays.previous(dag, edge).stream().flatMap(previous -> leftOver(dag, previous))
        : compression.stream();
  }

  /** How the bytes are compressed that a relay has from an edge, as far as it is known. */
  private static Stream<Compression> leftOver(IRDag dag, IREdge edge) {
    Optional<Decompression> decompression = edge.property(Decompression.class);
    if (decompression.isEmpty()) {
      return Stream.empty();
    }
    return decompression.get() == Decompression.NONE
        ? onTheWay(dag, edge)
        : Stream.of(Compression.NONE);
  }
}
