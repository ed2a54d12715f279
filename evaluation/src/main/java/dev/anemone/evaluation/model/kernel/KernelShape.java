// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import java.nio.file.Path;

/**
 * What a kernel shuffles, and with what.
 *
 * @param records of {@link KernelRecords#RECORD_BYTES} bytes
 * @param partitions that they go to
 * @param memoryBytes that the writer may use, and after it each reader
 * @param compressed whether what is stored is compressed, with LZ4
 * @param directory for blocks and spills; must exist
 */
record KernelShape(
    long records, int partitions, long memoryBytes, boolean compressed, Path directory) {}
