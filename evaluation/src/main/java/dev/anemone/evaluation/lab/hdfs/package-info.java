// SPDX-License-Identifier: Apache-2.0
/** An HDFS on this machine for experiments. */
package dev.anemone.evaluation.lab.hdfs;
