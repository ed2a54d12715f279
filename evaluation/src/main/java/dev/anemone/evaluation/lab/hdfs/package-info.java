/** An HDFS on this machine for experiments. */
package dev.anemone.evaluation.lab.hdfs;
