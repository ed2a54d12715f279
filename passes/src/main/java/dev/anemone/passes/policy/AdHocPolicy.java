// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.Pass;
import dev.anemone.passes.RunTimePass;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A list of passes that a user put together, as with {@code --passes=A,B}. The list takes the place
 * of a policy's optional passes; the default annotations follow for what it leaves open.
 *
 * @param description names the passes
 * @param passes the compile-time passes of the list, then the default annotations
 * @param runTimePasses the run-time passes of the list
 */
public record AdHocPolicy(
    String description, List<CompileTimePass> passes, List<RunTimePass<?>> runTimePasses)
    implements Policy {

  public AdHocPolicy {
    Objects.requireNonNull(description, "description");
    passes = List.copyOf(passes);
    runTimePasses = List.copyOf(runTimePasses);
  }

  /** A policy of these passes; it may be empty. */
  public static AdHocPolicy of(List<? extends Pass> list) {
    List<CompileTimePass> compileTime = new ArrayList<>();
    List<RunTimePass<?>> runTime = new ArrayList<>();
    for (Pass pass : list) {
      if (pass instanceof CompileTimePass compileTimePass) {
        compileTime.add(compileTimePass);
      } else if (pass instanceof RunTimePass<?> runTimePass) {
        runTime.add(runTimePass);
      }
    }
    return new AdHocPolicy(
        "the passes "
            + list.stream().map(Pass::name).collect(Collectors.joining(", "))
            + ", then the default annotations",
        DefaultAnnotations.after(compileTime),
        runTime);
  }
}
