// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import java.util.List;

/**
 * How the word count is started on one runner.
 *
 * @param name of the runner, for tables
 * @param classPath with the runner and the word count, in the form that {@code -cp} takes
 * @param jvmOptions that this runner needs beside those that all get
 * @param pipelineOptions that choose and set up the runner
 */
record RunnerSetup(
    String name, String classPath, List<String> jvmOptions, List<String> pipelineOptions) {}
