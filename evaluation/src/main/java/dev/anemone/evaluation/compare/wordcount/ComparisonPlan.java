// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is compared, and how.
 *
 * @param directory for the corpus, the logs and the figures; made if missing
 * @param textBytes size of the text
 * @param textFiles in how many files of about the same size the text lies
 * @param distinctWords size of the vocabulary of the text
 * @param seed of the random numbers that the text is made from
 * @param runners to compare; the others are compared with the first one
 * @param rounds how often each runs
 * @param jvmOptions that every runner gets
 * @param deadline after which a run is killed
 */
record ComparisonPlan(
    Path directory,
    long textBytes,
    int textFiles,
    int distinctWords,
    long seed,
    List<RunnerSetup> runners,
    int rounds,
    List<String> jvmOptions,
    Duration deadline) {}
