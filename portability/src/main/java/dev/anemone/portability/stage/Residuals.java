// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.DelayedBundleApplication;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleResponse;
import org.apache.beam.runners.fnexecution.control.BundleCheckpointHandler;
import org.apache.beam.runners.fnexecution.control.ProcessBundleDescriptors.ExecutableProcessBundleDescriptor;
import org.apache.beam.sdk.coders.Coder;

/**
 * What splittable functions of a stage have left for later when they stopped: elements of the
 * stage's input, with the rest of their restrictions. Thread-safe.
 */
final class Residuals implements BundleCheckpointHandler {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Coder<?> coder;
  private List<Object> left = new ArrayList<>();
  private long resumeAtNanos;

  /** For the stage of a descriptor; its main input comes before its timers. */
  Residuals(ExecutableProcessBundleDescriptor descriptor) {
    coder = descriptor.getRemoteInputDestinations().get(0).getCoder();
  }

  @Override
  public synchronized void onCheckpoint(ProcessBundleResponse response) {
    long delayNanos = Long.MAX_VALUE;
    for (DelayedBundleApplication root : response.getResidualRootsList()) {
      try {
        left.add(coder.decode(root.getApplication().getElement().newInput()));
      } catch (IOException e) {
        throw new UncheckedIOException("what a harness has left for later cannot be read", e);
      }
      long seconds = root.getRequestedTimeDelay().getSeconds();
      int nanos = root.getRequestedTimeDelay().getNanos();
      delayNanos = Math.min(delayNanos, seconds * 1000 * NANOS_PER_MILLI + nanos);
    }
    if (!left.isEmpty()) {
      resumeAtNanos = System.nanoTime() + delayNanos;
    }
  }

  /** Whether there is anything left. */
  synchronized boolean isLeft() {
    return !left.isEmpty();
  }

  /** Waits as long as the function that wants to be resumed first has asked for. */
  synchronized void awaitResumption() throws InterruptedException {
    long nanos = resumeAtNanos - System.nanoTime();
    while (nanos > 0) {
      wait(nanos / NANOS_PER_MILLI + 1);
      nanos = resumeAtNanos - System.nanoTime();
    }
  }

  /** Takes what is left. */
  synchronized List<Object> take() {
    List<Object> taken = left;
    left = new ArrayList<>();
    return taken;
  }
}
