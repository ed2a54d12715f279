// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.sql;

import java.util.Map;
import org.apache.beam.sdk.expansion.ExternalTransformRegistrar;
import org.apache.beam.sdk.transforms.ExternalTransformBuilder;

/**
 * Makes Beam SQL known to the expansion service, by the name by which other SDKs ask for it. Beam
 * finds this by the {@link java.util.ServiceLoader}. Stateless.
 */
public final class SqlTransforms implements ExternalTransformRegistrar {

  /** The name that Beam's SDKs have for it. */
  static final String URN = "beam:external:java:sql:v1";

  @Override
  public Map<String, ExternalTransformBuilder<?, ?, ?>> knownBuilderInstances() {
    return Map.of(URN, new SqlTransformBuilder());
  }
}
