// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import java.util.Arrays;
import java.util.Optional;

/**
 * The policies of Apache Nemo, under which its users know what they want: each stands for a policy
 * here, or is refused with what to use in its place.
 */
enum NemoPolicyName {
  DEFAULT("Default", "Default"),
  DEFAULT_WITH_SEPARATE_PASS("DefaultPolicyWithSeparatePass", "Default"),
  BASIC_PULL("BasicPull", "BasicPull"),
  BASIC_PUSH("BasicPush", "BasicPush"),
  LARGE_SHUFFLE("LargeShuffle", "LargeShuffle"),
  CONDITIONAL_LARGE_SHUFFLE("ConditionalLargeShuffle", "ConditionalLargeShuffle"),
  DATA_SKEW("DataSkew", "DataSkew"),
  SAMPLING_LARGE_SHUFFLE_SKEW("SamplingLargeShuffleSkew", "SamplingLargeShuffleSkew"),
  DYNAMIC_TASK_SIZING("DynamicTaskSizing", "DataSkew"),
  TRANSIENT_RESOURCE("TransientResource", "TransientResource"),
  DISAGGREGATION("Disaggregation", "Disaggregation"),
  STREAMING(
      "Streaming", "it is for unbounded input, and Anemone runs batch pipelines only", "Default"),
  LAMBDA(
      "Lambda", "it was a stub in Apache Nemo too and never ran anything on AWS Lambda", "Default"),
  XGBOOST(
      "XGBoost",
      "it needs Apache Nemo's database of earlier runs and its trained model",
      "Default");

  /** The package that Apache Nemo's policies were in. */
  static final String PACKAGE = "org.apache.nemo.compiler.optimizer.policy.";

  private final String shortName;
  private final Optional<String> refusal;
  private final String here;

  /** A policy that is there, under this or another name. */
  NemoPolicyName(String shortName, String here) {
    this.shortName = shortName;
    this.refusal = Optional.empty();
    this.here = here;
  }

  /** A policy that is not there. */
  NemoPolicyName(String shortName, String refusal, String here) {
    this.shortName = shortName;
    this.refusal = Optional.of(refusal);
    this.here = here;
  }

  String shortName() {
    return shortName;
  }

  /** Why it cannot be used; completes "X is not available: ...". Empty when it can. */
  Optional<String> refusal() {
    return refusal;
  }

  /** The short name of the policy that does the same here, or what to use if it is refused. */
  String here() {
    return here;
  }

  /** Finds a policy of Apache Nemo by its class name or its short name. */
  static Optional<NemoPolicyName> find(String name) {
    String simpleName = name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
    return Arrays.stream(values())
        .filter(
            policy ->
                simpleName.equalsIgnoreCase(policy.shortName)
                    || simpleName.equalsIgnoreCase(policy.shortName + "Policy"))
        .findFirst();
  }
}
