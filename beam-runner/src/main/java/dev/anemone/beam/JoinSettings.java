// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.rewrite.BuildSidePass;
import org.apache.beam.sdk.options.PipelineOptions;

/** What passes are told of joins. */
final class JoinSettings {

  private JoinSettings() {}

  /**
   * A context that knows how large a side of a join may be that is broadcast, if the policy wants
   * to know it and the user does not say it for passes alone.
   */
  static PassContext withLimit(PassContext context, Policy policy, PipelineOptions options) {
    String name = BuildSidePass.BROADCAST_JOIN_BYTES.name();
    if (!Optimizer.options(policy).containsKey(name)
        || context.has(BuildSidePass.BROADCAST_JOIN_BYTES)) {
      return context;
    }
    long bytes = options.as(NemoPipelineOptions.class).getBroadcastJoinBytes();
    return context.withOption(name, Long.toString(Math.max(0, bytes)));
  }
}
