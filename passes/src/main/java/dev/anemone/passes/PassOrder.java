// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Orders passes by what they require, and otherwise leaves them as they are: the first pass whose
 * requirements have run goes next.
 */
final class PassOrder {

  private PassOrder() {}

  /**
   * The passes in an order that meets their requirements.
   *
   * @param passes in the order that their author prefers
   * @param before names and class names of passes that run before all of these
   * @throws PassException names a pass, and the requirement that is not met or is cyclic
   */
  static <P extends Pass> List<P> order(List<P> passes, Set<String> before) {
    List<P> waiting = new ArrayList<>(passes);
    List<P> ordered = new ArrayList<>();
    Set<String> have = new HashSet<>(before);
    while (!waiting.isEmpty()) {
      P next =
          waiting.stream()
              .filter(pass -> have.containsAll(openRequirements(pass)))
              .findFirst()
              .orElseThrow(() -> stuck(waiting, have));
      waiting.remove(next);
      ordered.add(next);
      have.addAll(provides(next));
    }
    return ordered;
  }

  /** The names under which others can require a pass: its own, its class's, those of its parts. */
  static Set<String> provides(Pass pass) {
    Set<String> names = new LinkedHashSet<>();
    names.add(pass.name());
    names.add(pass.getClass().getName());
    if (pass instanceof CompositePass composite) {
      composite.passes().forEach(part -> names.addAll(provides(part)));
    }
    return names;
  }

  /** What must have run before a pass: its requirements, and those of its parts on others. */
  private static Set<String> openRequirements(Pass pass) {
    Set<String> open = new LinkedHashSet<>(pass.requires());
    if (pass instanceof CompositePass composite) {
      composite.passes().forEach(part -> open.addAll(openRequirements(part)));
      composite.passes().forEach(part -> open.removeAll(provides(part)));
    }
    return open;
  }

  private static PassException stuck(List<? extends Pass> waiting, Set<String> have) {
    Set<String> toCome =
        waiting.stream().flatMap(pass -> provides(pass).stream()).collect(Collectors.toSet());
    for (Pass pass : waiting) {
      for (String name : openRequirements(pass)) {
        if (!have.contains(name) && !toCome.contains(name)) {
          return new PassException(
              pass.name(),
              "requires pass "
                  + name
                  + ", which is not in the list. Add it, by that name, before "
                  + pass.name()
                  + ".");
        }
      }
    }
    String cycle =
        waiting.stream()
            .map(
                pass ->
                    pass.name()
                        + " (requires "
                        + openRequirements(pass).stream()
                            .filter(name -> !have.contains(name))
                            .collect(Collectors.joining(", "))
                        + ")")
            .collect(Collectors.joining(", "));
    return new PassException(
        waiting.get(0).name(), "can never run: these passes wait for each other: " + cycle + ".");
  }
}
