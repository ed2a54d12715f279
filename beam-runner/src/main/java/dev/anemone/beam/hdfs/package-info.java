// SPDX-License-Identifier: Apache-2.0
/** Files of HDFS, and of what else Hadoop has file systems for: configuration, and locality. */
package dev.anemone.beam.hdfs;
