// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import java.util.Objects;

/**
 * The smallest piece of a source that can be read by itself, such as a byte range of a file.
 *
 * @param spec how to read it
 * @param sizeBytes estimated size in bytes, 0 when unknown
 * @param hosts names of the hosts that hold the data, best first; empty when it is the same from
 *     everywhere
 */
public record SourcePart(FunctionSpec spec, long sizeBytes, List<String> hosts) {

  public SourcePart {
    Objects.requireNonNull(spec, "spec");
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("sizeBytes must not be negative, was " + sizeBytes);
    }
    hosts = List.copyOf(hosts);
  }
}
