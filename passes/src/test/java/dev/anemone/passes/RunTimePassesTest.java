// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.passes.skew.SkewRunTimePass;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Run-time passes travel by their class names. */
class RunTimePassesTest {

  private static final ClassLoader LOADER = RunTimePassesTest.class.getClassLoader();

  /** A user's own pass. */
  public static class Own implements RunTimePass<ShuffleSizes> {
    @Override
    public Class<ShuffleSizes> messageType() {
      return ShuffleSizes.class;
    }

    @Override
    public IRDag apply(IRDag dag, ShuffleSizes message, PassContext context) {
      return dag;
    }
  }

  /** Needs an argument. */
  public static final class Configured extends Own {
    private final String setting;

    public Configured(String setting) {
      this.setting = setting;
    }

    @Override
    public String name() {
      return "Configured with " + setting;
    }
  }

  /** Fails when it is made. */
  public static final class Failing extends Own {
    public Failing() {
      throw new IllegalStateException("planned failure");
    }
  }

  @Test
  void namesAndBack() {
    List<String> names = RunTimePasses.names(List.of(new SkewRunTimePass(), new Own()));
    assertThat(names).containsExactly(SkewRunTimePass.class.getName(), Own.class.getName());
    assertThat(RunTimePasses.load(names, LOADER))
        .hasExactlyElementsOfTypes(SkewRunTimePass.class, Own.class);
  }

  @Test
  void aPassThatCannotBeMadeElsewhereIsRefusedBeforeTheJobStarts() {
    for (RunTimePass<?> pass :
        List.<RunTimePass<?>>of(new Configured("x"), new Own() {}, new Hidden())) {
      assertThatThrownBy(() -> RunTimePasses.names(List.of(pass)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Run-time pass " + pass.name() + " cannot be sent")
          .hasMessageContaining(pass.getClass().getName())
          .hasMessageContaining("public constructor without parameters");
    }
  }

  private static final class Hidden extends Own {}

  /** Takes what nobody sends. */
  public static final class Deaf implements RunTimePass<SizeHistogram> {
    @Override
    public Class<SizeHistogram> messageType() {
      return SizeHistogram.class;
    }

    @Override
    public IRDag apply(IRDag dag, SizeHistogram message, PassContext context) {
      return dag;
    }
  }

  @Test
  void aPassThatWouldNeverBeAskedIsRefusedBeforeTheJobStarts() {
    assertThatThrownBy(() -> RunTimePasses.names(List.of(new Deaf())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Run-time pass Deaf takes messages of dev.anemone.ir.message.SizeHistogram, which no"
                + " job sends. Jobs send ShuffleSizes and TaskTimes.");
  }

  @Test
  void whatCannotBeLoadedIsNamed() {
    assertThatThrownBy(() -> RunTimePasses.load(List.of("com.example.Gone"), LOADER))
        .hasMessage(
            "Run-time pass com.example.Gone cannot be loaded: the class is not on the class path of"
                + " the running job.");
    assertThatThrownBy(() -> RunTimePasses.load(List.of("java.lang.Object"), LOADER))
        .hasMessageContaining("does not implement dev.anemone.passes.RunTimePass");
    assertThatThrownBy(() -> RunTimePasses.load(List.of(Failing.class.getName()), LOADER))
        .hasMessageContaining("its constructor failed: ")
        .hasMessageContaining("planned failure");
    assertThatThrownBy(() -> RunTimePasses.load(List.of(Configured.class.getName()), LOADER))
        .hasMessageContaining("public constructor without parameters");
  }
}
