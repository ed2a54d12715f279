// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.ir.property.Compression;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.defaults.CompressionPass;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.runtime.engine.Deployment;
import java.util.Locale;

/** What passes are told of how data is compressed that tasks exchange. */
final class CompressionSettings {
  /** What costs least for each byte that it saves; Spark compresses its shuffles so, too. */
  private static final Compression ON_CLUSTERS = Compression.LZ4;

  private CompressionSettings() {}

  /**
   * A context in which data is compressed that goes over a network, if the policy wants to know it
   * and the user does not say it. In one JVM, what is saved is memory of the machine's file cache.
   */
  static PassContext withDefault(PassContext context, Policy policy, Deployment deployment) {
    String name = CompressionPass.COMPRESSION.name();
    if (!(deployment instanceof Deployment.Yarn)
        || !Optimizer.options(policy).containsKey(name)
        || context.has(CompressionPass.COMPRESSION)) {
      return context;
    }
    return context.withOption(name, ON_CLUSTERS.name().toLowerCase(Locale.ROOT));
  }
}
