// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * One of the things that are compared.
 *
 * @param policy its name
 * @param runnerOptions that make NemoRunner use it
 */
public record Side(String policy, List<String> runnerOptions) {
  /** What a user gets who asks for nothing. */
  public static final String DEFAULT = "Default";

  /** Batches disk reads, as Riffle and Sailfish do. */
  public static final String LARGE_SHUFFLE = "LargeShuffle";

  /** The default policy, then the one that batches disk reads, each with the same options. */
  public static List<Side> both(List<String> runnerOptions) {
    return List.of(of(DEFAULT, runnerOptions), of(LARGE_SHUFFLE, runnerOptions));
  }

  /** A policy, with further options of the runner. */
  public static Side of(String policy, List<String> runnerOptions) {
    List<String> options = new ArrayList<>(runnerOptions);
    options.add("--optimizationPolicy=" + policy);
    return new Side(policy, List.copyOf(options));
  }
}
