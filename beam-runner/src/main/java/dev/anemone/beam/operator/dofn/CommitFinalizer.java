// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.runtime.spi.TaskContext;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;
import org.joda.time.Instant;

/**
 * Finalizes bundles when their task has committed. A task that fails, or loses to another attempt,
 * finalizes nothing: its input is processed again.
 */
final class CommitFinalizer implements BundleFinalizer {

  private final TaskContext context;
  private boolean asked;

  CommitFinalizer(TaskContext context) {
    this.context = context;
  }

  @Override
  public void afterBundleCommit(Instant expiry, Callback callback) {
    asked = true;
    context.afterCommit(
        () -> {
          if (Instant.now().isBefore(expiry)) {
            callback.onBundleSuccess();
          }
        });
  }

  /** Whether something is to be finalized. */
  boolean isAsked() {
    return asked;
  }
}
