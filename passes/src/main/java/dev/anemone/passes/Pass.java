// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import java.util.Set;

/**
 * One step of a policy. Passes hold no state, so one instance may be used by several threads.
 *
 * <p>A pass that users pick by name, in {@code --passes}, has a public constructor without
 * parameters. To be found by its short name it is also listed in {@code
 * META-INF/services/dev.anemone.passes.Pass}.
 */
public sealed interface Pass permits CompileTimePass, RunTimePass {

  /** What a person calls it; by default the simple name of the class without {@code Pass}. */
  default String name() {
    String simpleName = getClass().getSimpleName();
    return simpleName.endsWith("Pass") && simpleName.length() > "Pass".length()
        ? simpleName.substring(0, simpleName.length() - "Pass".length())
        : simpleName;
  }

  /**
   * The passes that must have run before this one, each by its name or by the name of its class.
   * The harness orders passes by it, and skips a pass when one that it requires was skipped.
   */
  default Set<String> requires() {
    return Set.of();
  }

  /** When the pass applies; by default always. */
  default PassCondition condition() {
    return PassCondition.ALWAYS;
  }

  /** The options that it reads. An option that no pass of a policy reads is refused. */
  default Set<PassOption<?>> options() {
    return Set.of();
  }
}
