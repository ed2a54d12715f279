// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.Pass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds policies and passes by name. Thread-safe.
 *
 * <p>A policy is named by its short name in any case, with or without {@code Policy} ({@code
 * Default}, {@code basicpush}), by its class name, or by the name that it had in Apache Nemo
 * ({@code org.apache.nemo.compiler.optimizer.policy.DefaultPolicy}). A pass is named likewise.
 */
public final class PolicyRegistry {

  private static final String POLICY_SUFFIX = "Policy";
  private static final String PASS_SUFFIX = "Pass";

  private final ProvidedClasses classes;
  private final Map<String, Policy> policies;
  private final Map<String, Pass> passes;

  private PolicyRegistry(ClassLoader loader) {
    this.classes = new ProvidedClasses(loader);
    this.policies = byName(classes.provided(Policy.class), Policy::name);
    this.passes = byName(classes.provided(Pass.class), Pass::name);
  }

  /**
   * A registry of what a class loader sees.
   *
   * @param loader finds the user's own classes and {@code META-INF/services}
   * @throws IllegalArgumentException when a service file names a class that cannot be used
   */
  public static PolicyRegistry of(ClassLoader loader) {
    return new PolicyRegistry(Objects.requireNonNull(loader, "loader"));
  }

  /** A registry of what the thread's context class loader sees. */
  public static PolicyRegistry ofContext() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return of(context == null ? PolicyRegistry.class.getClassLoader() : context);
  }

  private static <T> Map<String, T> byName(List<T> provided, Function<T, String> name) {
    Map<String, T> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    provided.forEach(item -> byName.putIfAbsent(name.apply(item), item));
    return byName;
  }

  /** All policies that have a short name, sorted by it. */
  public List<Policy> policies() {
    return List.copyOf(policies.values());
  }

  /** All passes that have a short name, sorted by it. */
  public List<Pass> passes() {
    return List.copyOf(passes.values());
  }

  /**
   * The policy of a name.
   *
   * @throws IllegalArgumentException when there is none, or when it is one of Apache Nemo's that is
   *     not available; the message says what to use
   */
  public Policy policy(String name) {
    String wanted = name.strip();
    Optional<Policy> listed = find(policies, wanted, POLICY_SUFFIX);
    if (listed.isPresent()) {
      return listed.get();
    }
    Optional<Policy> own = classes.instance(wanted, Policy.class);
    if (own.isPresent()) {
      return own.get();
    }
    NemoPolicyName ofNemo =
        NemoPolicyName.find(wanted).orElseThrow(() -> unknown("policy", wanted, policies));
    if (ofNemo.refusal().isEmpty()) {
      return policies.get(ofNemo.here());
    }
    throw new IllegalArgumentException(
        "Apache Nemo's policy "
            + ofNemo.shortName()
            + " is not available: "
            + ofNemo.refusal().get()
            + ". Use "
            + ofNemo.here()
            + ".");
  }

  /**
   * The pass of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Pass pass(String name) {
    String wanted = name.strip();
    return find(passes, wanted, PASS_SUFFIX)
        .or(() -> classes.instance(wanted, Pass.class))
        .orElseThrow(() -> unknown("pass", wanted, passes));
  }

  /**
   * The policy that a comma-separated list of passes makes: these passes, then the default
   * annotations for what they leave open.
   *
   * @throws IllegalArgumentException when the list is empty or names no pass
   */
  public Policy adHoc(String commaSeparatedPasses) {
    List<Pass> list = new ArrayList<>();
    for (String name : Arrays.asList(commaSeparatedPasses.split(",", -1))) {
      if (name.isBlank()) {
        throw new IllegalArgumentException(
            "The list of passes \""
                + commaSeparatedPasses
                + "\" has an empty name. Give the names of passes with commas between them, such as"
                + " CombinerLifting,PushDataFlow.");
      }
      list.add(pass(name));
    }
    return AdHocPolicy.of(list);
  }

  private static <T> Optional<T> find(Map<String, T> byName, String wanted, String suffix) {
    T exact = byName.get(wanted);
    if (exact != null || !endsWithIgnoreCase(wanted, suffix)) {
      return Optional.ofNullable(exact);
    }
    return Optional.ofNullable(byName.get(wanted.substring(0, wanted.length() - suffix.length())));
  }

  private static boolean endsWithIgnoreCase(String name, String suffix) {
    int start = name.length() - suffix.length();
    return start > 0 && name.regionMatches(true, start, suffix, 0, suffix.length());
  }

  private static IllegalArgumentException unknown(
      String kind, String wanted, Map<String, ?> known) {
    return new IllegalArgumentException(
        "There is no "
            + kind
            + " \""
            + wanted
            + "\"."
            + NearestName.hint(wanted, known.keySet())
            + " Known: "
            + String.join(", ", known.keySet())
            + ". One of your own is named by its full class name and must be on the class path.");
  }
}
