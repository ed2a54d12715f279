// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.Pass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.defaults.PushDataFlowPass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyRegistryTest {

  private final PolicyRegistry registry =
      PolicyRegistry.of(PolicyRegistryTest.class.getClassLoader());

  /** A policy as a user would write one. */
  public static final class Own implements Policy {
    @Override
    public String description() {
      return "a user's own";
    }

    @Override
    public List<CompileTimePass> passes() {
      return DefaultAnnotations.after(new OwnPass());
    }
  }

  /** A pass as a user would write one. */
  public static final class OwnPass implements ReshapingPass {
    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return dag;
    }
  }

  /** A policy that cannot be made by name. */
  public static final class Needy implements Policy {
    private final String description;

    public Needy(String description) {
      this.description = description;
    }

    @Override
    public String description() {
      return description;
    }

    @Override
    public List<CompileTimePass> passes() {
      return List.of();
    }
  }

  /** A policy whose constructor fails. */
  public static final class Failing implements Policy {
    public Failing() {
      throw new IllegalStateException("no luck today");
    }

    @Override
    public String description() {
      return "";
    }

    @Override
    public List<CompileTimePass> passes() {
      return List.of();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Default, Default",
    "default, Default",
    "DefaultPolicy, Default",
    "' basicpushpolicy ', BasicPush",
    "BASICPULL, BasicPull",
    "dev.anemone.passes.policy.BasicPushPolicy, BasicPush",
    "org.apache.nemo.compiler.optimizer.policy.DefaultPolicy, Default",
    "org.apache.nemo.compiler.optimizer.policy.BasicPullPolicy, BasicPull",
    "org.apache.nemo.compiler.optimizer.policy.BasicPushPolicy, BasicPush",
    "largeshuffle, LargeShuffle",
    "ConditionalLargeShufflePolicy, ConditionalLargeShuffle",
    "org.apache.nemo.compiler.optimizer.policy.LargeShufflePolicy, LargeShuffle",
    "org.apache.nemo.compiler.optimizer.policy.ConditionalLargeShufflePolicy,"
        + " ConditionalLargeShuffle",
    "dataskew, DataSkew",
    "org.apache.nemo.compiler.optimizer.policy.DataSkewPolicy, DataSkew",
    "SamplingLargeShuffleSkewPolicy, SamplingLargeShuffleSkew",
    "org.apache.nemo.compiler.optimizer.policy.SamplingLargeShuffleSkewPolicy,"
        + " SamplingLargeShuffleSkew",
    "transientresource, TransientResource",
    "org.apache.nemo.compiler.optimizer.policy.TransientResourcePolicy, TransientResource",
    "disaggregation, Disaggregation",
    "org.apache.nemo.compiler.optimizer.policy.DisaggregationPolicy, Disaggregation",
    "nopushdown, NoPushdown",
    "FullPushdownPolicy, FullPushdown",
    "dev.anemone.passes.policy.NearDataPolicy, NearData",
    "DynamicTaskSizing, DataSkew",
    "org.apache.nemo.compiler.optimizer.policy.DynamicTaskSizingPolicy, DataSkew",
    "DefaultPolicyWithSeparatePass, Default",
    "org.apache.nemo.compiler.optimizer.policy.DefaultPolicyWithSeparatePass, Default",
  })
  void findsPoliciesByShortNameClassNameAndNemoName(String given, String found) {
    assertThat(registry.policy(given).name()).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource({
    "Streaming, batch pipelines only",
    "Lambda, stub",
    "XGBoost, database",
  })
  void refusesOtherPoliciesOfNemoWithAReasonAndARemedy(String name, String reason) {
    for (String form :
        List.of(
            name,
            name + "Policy",
            "org.apache.nemo.compiler.optimizer.policy." + name + "Policy")) {
      assertThatThrownBy(() -> registry.policy(form))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Apache Nemo's policy " + name + " is not available: ")
          .hasMessageContaining(reason)
          .hasMessageContaining(". Use Default");
    }
  }

  @Test
  void anUnknownPolicyListsTheKnownOnesAndTheNearest() {
    assertThatThrownBy(() -> registry.policy("Defualt"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "There is no policy \"Defualt\". Did you mean Default? Known: BasicPull, BasicPush,"
                + " ConditionalLargeShuffle, DataSkew, Default, Disaggregation, FullPushdown,"
                + " LargeShuffle, NearData, NoPushdown, SamplingLargeShuffleSkew,"
                + " TransientResource. One of your own is named by its full class name and must be"
                + " on the class path.");
    assertThatThrownBy(() -> registry.policy("com.example.Nothing"))
        .hasMessageNotContaining("Did you mean")
        .hasMessageContaining("Known: BasicPull, BasicPush, ConditionalLargeShuffle, DataSkew");
  }

  @Test
  void findsAUsersOwnPolicyByClassName() {
    Policy policy = registry.policy(Own.class.getName());
    assertThat(policy).isInstanceOf(Own.class);
    assertThat(policy.name()).isEqualTo("Own");
  }

  @Test
  void saysWhyAClassCannotBeUsed() {
    assertThatThrownBy(() -> registry.policy("java.lang.String"))
        .hasMessage("Class java.lang.String does not implement dev.anemone.passes.policy.Policy.");
    assertThatThrownBy(() -> registry.policy(Needy.class.getName()))
        .hasMessageContaining("a public constructor without parameters");
    assertThatThrownBy(() -> registry.policy(Failing.class.getName()))
        .hasMessageContaining("no luck today")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void findsWhatAnotherJarProvides(@TempDir Path directory) throws IOException {
    service(directory, Policy.class, Own.class.getName());
    service(directory, Pass.class, OwnPass.class.getName());
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      PolicyRegistry extended = PolicyRegistry.of(loader);
      assertThat(extended.policy("own")).isInstanceOf(Own.class);
      assertThat(extended.pass("own")).isInstanceOf(OwnPass.class);
      assertThat(extended.policies())
          .extracting(Policy::name)
          .containsExactly(
              "BasicPull",
              "BasicPush",
              "ConditionalLargeShuffle",
              "DataSkew",
              "Default",
              "Disaggregation",
              "FullPushdown",
              "LargeShuffle",
              "NearData",
              "NoPushdown",
              "Own",
              "SamplingLargeShuffleSkew",
              "TransientResource");
    }
  }

  @Test
  void aServiceFileThatNamesNoPolicyIsNamed(@TempDir Path directory) throws IOException {
    service(directory, Policy.class, "com.example.Missing");
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      assertThatThrownBy(() -> PolicyRegistry.of(loader))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("META-INF/services/dev.anemone.passes.policy.Policy")
          .hasMessageContaining("com.example.Missing");
    }
  }

  private static void service(Path directory, Class<?> service, String provider)
      throws IOException {
    Path file = directory.resolve("META-INF/services/" + service.getName());
    Files.createDirectories(file.getParent());
    Files.writeString(file, provider + "\n");
  }

  @Test
  void everyPassOfThisModuleHasAShortName() throws IOException {
    List<String> names = registry.passes().stream().map(Pass::name).toList();
    // The harness at the root has the kinds of passes, the rooms below it the passes.
    Path harness = Path.of("src/main/java/dev/anemone/passes");
    try (var files = Files.walk(harness)) {
      assertThat(
              files
                  .filter(file -> !file.getParent().equals(harness))
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith("Pass.java"))
                  .map(file -> file.substring(0, file.length() - "Pass.java".length())))
          .containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void anAdHocListComesBeforeTheDefaultAnnotations() {
    Policy policy = registry.adHoc("combinerlifting, PushDataFlowPass," + OwnPass.class.getName());
    assertThat(policy.name()).isEqualTo("AdHoc");
    assertThat(policy.passes().subList(0, 3))
        .hasExactlyElementsOfTypes(
            CombinerLiftingPass.class, PushDataFlowPass.class, OwnPass.class);
    assertThat(policy.passes().subList(3, policy.passes().size()))
        .extracting(Pass::name)
        .containsExactlyElementsOf(DefaultAnnotations.passes().stream().map(Pass::name).toList());
    assertThat(policy.description()).contains("CombinerLifting, PushDataFlow, Own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "CombinerLifting,", ",", "CombinerLifting,,PushDataFlow"})
  void anAdHocListWithAnEmptyNameIsRefused(String list) {
    assertThatThrownBy(() -> registry.adHoc(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has an empty name");
  }

  @Test
  void anUnknownPassListsTheKnownOnesAndTheNearest() {
    assertThatThrownBy(() -> registry.adHoc("CombinerLiftin"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("There is no pass \"CombinerLiftin\"")
        .hasMessageContaining("Did you mean CombinerLifting?")
        .hasMessageContaining("AntiAffinity, BuildSide, ClonedScheduling");
  }
}
