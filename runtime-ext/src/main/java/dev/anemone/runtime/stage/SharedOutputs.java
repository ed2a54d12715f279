// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.property.SharedOutput;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes aliases of links whose edges have a {@link SharedOutput}. All edges between two stages are
 * one link, so that is possible where the link that they name has the counterparts of just these
 * edges, with the same tags. Where it has not, a link is written for itself, as without the
 * property.
 */
final class SharedOutputs {

  /** A link as its producer writes it: for whose edge the records of each tag are. */
  private record Written(int tag, String edgeId) {}

  private SharedOutputs() {}

  /** The input links of each stage, with aliases where outputs are shared. */
  static Map<String, List<Link>> share(Map<String, List<Link>> inputs) {
    Map<String, List<Link>> shared = new LinkedHashMap<>();
    inputs.forEach(
        (stage, links) ->
            shared.put(
                stage,
                links.stream()
                    .map(link -> owner(stage, link, inputs).map(link::sharing).orElse(link))
                    .toList()));
    return shared;
  }

  /** The stage whose link holds what this one needs. */
  private static Optional<String> owner(String stage, Link link, Map<String, List<Link>> inputs) {
    if (link.push() || link.aliasOf().isPresent()) {
      return Optional.empty();
    }
    Set<Written> needed = new HashSet<>();
    for (Channel channel : link.channels()) {
      Optional<SharedOutput> output = channel.edge().property(SharedOutput.class);
      if (output.isEmpty()) {
        return Optional.empty();
      }
      if (!needed.add(new Written(channel.tag(), output.get().edgeId()))) {
        // A union of a collection with itself has each record twice, and the other link has it
        // once.
        return Optional.empty();
      }
    }
    for (Map.Entry<String, List<Link>> other : inputs.entrySet()) {
      for (Link written : other.getValue()) {
        if (!other.getKey().equals(stage)
            && written.peer().equals(link.peer())
            && written.transfer() == link.transfer()
            && written.partitions() == link.partitions()
            && written.aliasOf().isEmpty()
            && !written.push()
            && own(written).equals(needed)) {
          return Optional.of(other.getKey());
        }
      }
    }
    return Optional.empty();
  }

  private static Set<Written> own(Link link) {
    Set<Written> own = new HashSet<>();
    for (Channel channel : link.channels()) {
      own.add(new Written(channel.tag(), channel.edge().id()));
    }
    return own;
  }
}
