// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;
import org.apache.beam.sdk.runners.PipelineRunnerRegistrar;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/** Makes {@code --runner=NemoRunner} and its options known to Beam. */
public final class NemoRunnerRegistrar {

  private NemoRunnerRegistrar() {}

  /** Registers {@link NemoRunner}. */
  public static final class Runner implements PipelineRunnerRegistrar {

    @Override
    public Iterable<Class<? extends PipelineRunner<?>>> getPipelineRunners() {
      return List.of(NemoRunner.class);
    }
  }

  /**
   * Registers the options of the runner, and Beam's that it reads.
   *
   * <p>Those of all other registrars come with them, the smallest first. Beam checks an interface
   * together with all that were registered before it, and asks this registrar, by its name, as the
   * first: with the largest at the beginning, the checks took half a second of every start.
   */
  public static final class Options implements PipelineOptionsRegistrar {

    @Override
    public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
      Set<Class<? extends PipelineOptions>> options = new HashSet<>();
      options.add(NemoPipelineOptions.class);
      for (PipelineOptionsRegistrar other :
          ServiceLoader.load(PipelineOptionsRegistrar.class, ReflectHelpers.findClassLoader())) {
        if (!(other instanceof Options)) {
          other.getPipelineOptions().forEach(options::add);
        }
      }
      return options.stream()
          .sorted(
              Comparator.<Class<?>>comparingInt(each -> each.getMethods().length)
                  .thenComparing(Class::getName))
          .toList();
    }
  }
}
