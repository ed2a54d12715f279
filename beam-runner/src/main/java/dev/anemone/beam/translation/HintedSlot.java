// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.ir.property.ResourceSlot;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.resourcehints.ResourceHint;

/**
 * What a task of a step occupies, from Beam's resource hints on the step, on what encloses it, or
 * in {@code --resourceHints}: the least memory and the number of cores. Other hints, such as
 * accelerators, are for other engines.
 */
final class HintedSlot {

  private static final String MIN_RAM_BYTES = "beam:resources:min_ram_bytes:v1";
  private static final String CPU_COUNT = "beam:resources:cpu_count:v1";
  private static final long MEGABYTE = 1L << 20;

  private HintedSlot() {}

  /** Empty where the step has no such hints. */
  static Optional<ResourceSlot> of(AppliedPTransform<?, ?, ?> application) {
    long bytes = number(application, MIN_RAM_BYTES);
    long cores = number(application, CPU_COUNT);
    if (bytes == 0 && cores == 0) {
      return Optional.empty();
    }
    long megabytes = bytes / MEGABYTE + (bytes % MEGABYTE == 0 ? 0 : 1);
    return Optional.of(new ResourceSlot(Math.toIntExact(megabytes), Math.toIntExact(cores), 0));
  }

  private static long number(AppliedPTransform<?, ?, ?> application, String urn) {
    ResourceHint hint = application.getResourceHints().hints().get(urn);
    if (hint == null) {
      return 0;
    }
    String text = new String(hint.toBytes(), StandardCharsets.US_ASCII);
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number / MEGABYTE <= Integer.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number that cannot be.
    }
    throw new InvalidPipelineException(
        "Step '"
            + application.getFullName()
            + "' has the resource hint "
            + urn
            + " with the value '"
            + text
            + "', which is no such number. Set it with ResourceHints.withMinRam or withCPUCount.");
  }
}
