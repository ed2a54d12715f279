// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.ir.property.ResourceSlot;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.resourcehints.ResourceHint;

/**
 * What a task of a step occupies, from Beam's resource hints on the step, on what encloses it, or
 * in {@code --resourceHints}: the least memory and the number of cores. Other hints, such as
 * accelerators, are for other engines.
 */
public final class HintedSlot {

  private static final String MIN_RAM_BYTES = "beam:resources:min_ram_bytes:v1";
  private static final String CPU_COUNT = "beam:resources:cpu_count:v1";
  private static final long MEGABYTE = 1L << 20;

  private HintedSlot() {}

  /** Empty where the step has no such hints. */
  static Optional<ResourceSlot> of(AppliedPTransform<?, ?, ?> application) {
    Map<String, ResourceHint> hints = application.getResourceHints().hints();
    return of(
        application.getFullName(),
        urn -> Optional.ofNullable(hints.get(urn)).map(ResourceHint::toBytes));
  }

  /**
   * The same of a step of any SDK.
   *
   * @param hints the bytes of each hint that there is, by its URN
   * @throws InvalidPipelineException when one of them is no number; names the step
   */
  public static Optional<ResourceSlot> of(
      String stepName, Function<String, Optional<byte[]>> hints) {
    long bytes = number(stepName, MIN_RAM_BYTES, hints);
    long cores = number(stepName, CPU_COUNT, hints);
    if (bytes == 0 && cores == 0) {
      return Optional.empty();
    }
    long megabytes = bytes / MEGABYTE + (bytes % MEGABYTE == 0 ? 0 : 1);
    return Optional.of(new ResourceSlot(Math.toIntExact(megabytes), Math.toIntExact(cores), 0));
  }

  private static long number(
      String stepName, String urn, Function<String, Optional<byte[]>> hints) {
    Optional<byte[]> hint = hints.apply(urn);
    if (hint.isEmpty()) {
      return 0;
    }
    String text = new String(hint.get(), StandardCharsets.US_ASCII);
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
            + stepName
            + "' has the resource hint "
            + urn
            + " with the value '"
            + text
            + "', which is no such number. Set it with ResourceHints.withMinRam or withCPUCount.");
  }
}
