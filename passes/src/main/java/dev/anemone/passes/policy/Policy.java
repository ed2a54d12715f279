// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.RunTimePass;
import java.util.List;

/**
 * A named, ordered list of passes, which a user picks with {@code --optimizationPolicy}. The list
 * must leave a graph in which everything is decided that the engine needs; {@link
 * DefaultAnnotations#after} sees to that.
 *
 * <p>A policy of one's own has a public constructor without parameters, and is picked by its class
 * name. To be found by its short name it is also listed in {@code
 * META-INF/services/dev.anemone.passes.policy.Policy}.
 */
public interface Policy {

  /** What a person calls it; by default the simple name of the class without {@code Policy}. */
  default String name() {
    String simpleName = getClass().getSimpleName();
    return simpleName.endsWith("Policy") && simpleName.length() > "Policy".length()
        ? simpleName.substring(0, simpleName.length() - "Policy".length())
        : simpleName;
  }

  /** One sentence on what it is good for. */
  String description();

  /** The passes that run before the job starts. */
  List<CompileTimePass> passes();

  /** The passes that run while the job does. */
  default List<RunTimePass<?>> runTimePasses() {
    return List.of();
  }
}
