// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.GraphRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.model.jobmanagement.v1.JobApi.PipelineOptionDescriptor;
import org.apache.beam.model.jobmanagement.v1.JobApi.PipelineOptionType;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Value;

/**
 * Options that a job server was given for all its jobs. A pipeline that has an option of its own
 * keeps that; but flags that the server turns, all pipelines have so, as Python says nothing of
 * whether a flag was given. Immutable.
 *
 * @param values by their names in the Job API
 * @param turned names of flags with another value than their default
 */
record JobDefaults(Map<String, Value> values, Set<String> turned) {

  JobDefaults {
    values = Map.copyOf(values);
    turned = Set.copyOf(turned);
  }

  /**
   * Those of a command line.
   *
   * @param arguments as a program of Java has them, {@code --deployMode=yarn}
   * @throws IllegalArgumentException when one is not known, or has a bad value; names it
   */
  static JobDefaults of(List<String> arguments) {
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create();
    GraphRun.check(options);
    Set<String> given =
        arguments.stream().map(JobDefaults::nameInJobApi).collect(Collectors.toSet());
    Map<String, Value> values = new HashMap<>();
    PipelineOptionsTranslation.toProto(options)
        .getFieldsMap()
        .forEach(
            (name, value) -> {
              if (given.contains(name)) {
                values.put(name, value);
              }
            });
    List<String> turned = new ArrayList<>();
    for (PipelineOptionDescriptor option :
        PipelineOptionsFactory.describe(PipelineOptionsFactory.getRegisteredOptions())) {
      String name = nameInJobApi(option.getName());
      if (option.getType() == PipelineOptionType.Enum.BOOLEAN
          && values.containsKey(name)
          && values.get(name).getBoolValue() != Boolean.parseBoolean(option.getDefaultValue())) {
        turned.add(name);
      }
    }
    return new JobDefaults(values, Set.copyOf(turned));
  }

  /**
   * Of {@code --deployMode=yarn} and of {@code deploy_mode}, {@code beam:option:deploy_mode:v1}.
   */
  private static String nameInJobApi(String argument) {
    String name = argument.replaceFirst("^--", "").replaceFirst("=.*$", "");
    return "beam:option:"
        + name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT)
        + ":v1";
  }

  /** The options of a pipeline, with these where it has none. */
  Struct in(Struct options) {
    Struct.Builder all = options.toBuilder();
    values.forEach(
        (name, value) -> {
          if (turned.contains(name) || !options.containsFields(name)) {
            all.putFields(name, value);
          }
        });
    return all.build();
  }
}
