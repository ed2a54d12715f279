// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.testing.ArbitraryDags;
import dev.anemone.passes.PassContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every policy makes of every graph one that can be run. */
class AnyGraphTest {

  private static final PolicyRegistry REGISTRY =
      PolicyRegistry.of(AnyGraphTest.class.getClassLoader());

  @Provide
  Arbitrary<IRDag> fromFrontEnd() {
    return ArbitraryDags.fromFrontEnd();
  }

  @Provide
  Arbitrary<IRDag> annotated() {
    return ArbitraryDags.annotated();
  }

  @Provide
  Arbitrary<IRDag> edited() {
    return ArbitraryDags.edited();
  }

  @Provide
  Arbitrary<Policy> policies() {
    return Arbitraries.of(REGISTRY.policies());
  }

  @Provide
  Arbitrary<PassContext> contexts() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 9),
            Arbitraries.<Map<String, String>>of(
                Map.of(),
                Map.of("parallelism", "5"),
                Map.of("compression", "lz4", "speculation", "true", "antiAffinity", "true"),
                Map.of("minBytesPerTask", "1", "targetBytesPerShuffleTask", "1"),
                Map.of("parallelism", "7", "targetBytesPerTask", "1")))
        .as((slots, options) -> PassContext.of(slots, 1L << 20, options));
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void aFrontEndsGraphIsFullyAnnotatedAndBreaksNoRule(
      @ForAll("fromFrontEnd") IRDag dag,
      @ForAll("policies") Policy policy,
      @ForAll("contexts") PassContext context) {
    requireRunnable(dag, policy, context);
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void aGraphWithDecisionsIsCompletedAndKeepsThem(
      @ForAll("annotated") IRDag dag,
      @ForAll("policies") Policy policy,
      @ForAll("contexts") PassContext context) {
    IRDag result = requireRunnable(dag, policy, context);
    for (var vertex : dag.vertices()) {
      if (result.hasVertex(vertex.id())) {
        assertThat(result.vertex(vertex.id()).properties().asMap())
            .containsAllEntriesOf(vertex.properties().asMap());
      }
    }
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void aGraphWithRelaysCombinersAndSamplesIsCompleted(
      @ForAll("edited") IRDag dag,
      @ForAll("policies") Policy policy,
      @ForAll("contexts") PassContext context) {
    // What was inserted into given schedule groups may not fit between them.
    Assume.that(
        dag.vertices().stream().noneMatch(v -> v.property(ScheduleGroup.class).isPresent()));
    requireRunnable(dag, policy, context);
  }

  /** Lists that a user may give, with sampling before and after what changes the graph. */
  @Provide
  Arbitrary<Policy> lists() {
    return Arbitraries.of(
            "CommonSubexpressionElimination",
            "CombinerLifting",
            "LargeShuffle",
            "ConditionalLargeShuffle",
            "PushDataFlow",
            "SkewSampling",
            "TransientResource",
            "Partitioner,Encoder,Decoder")
        .list()
        .uniqueElements()
        .ofMinSize(1)
        .ofMaxSize(6)
        .map(names -> names.contains("SkewSampling") ? names : with(names, "SkewSampling"))
        .map(names -> REGISTRY.adHoc(String.join(",", with(names, "SkewRunTime"))));
  }

  private static List<String> with(List<String> names, String last) {
    List<String> more = new ArrayList<>(names);
    more.add(last);
    return more;
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void samplingGoesWithOtherPassesInAnyOrder(
      @ForAll("fromFrontEnd") IRDag dag,
      @ForAll("lists") Policy policy,
      @ForAll("contexts") PassContext context) {
    requireRunnable(dag, policy, context);
  }

  private static IRDag requireRunnable(IRDag dag, Policy policy, PassContext given) {
    // The graphs are small; with all tasks measured, none would have to wait.
    PassContext context =
        Optimizer.options(policy).containsKey("measureAllUpTo")
            ? given.withOption("measureAllUpTo", "2")
            : given;
    Optimizer optimizer = Optimizer.standard();
    IRDag once = optimizer.optimize(policy, dag, context).result();
    assertThat(IRDagChecker.standard().violations(once)).isEmpty();
    assertThat(RequiredAnnotations.firstMissing(once)).isEmpty();
    assertThat(optimizer.optimize(policy, dag, context).result()).isEqualTo(once);
    assertThat(optimizer.optimize(policy, once, context).result()).isEqualTo(once);
    return once;
  }
}
