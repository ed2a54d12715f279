// SPDX-License-Identifier: Apache-2.0
/**
 * TeraSort: the sort benchmark's generator, the sort as a Beam pipeline, and the validator.
 *
 * <p>Records, generator and checksum are those of the programs <i>gensort</i> and <i>valsort</i> of
 * <a href="http://sortbenchmark.org">sortbenchmark.org</a>, so that data and results can be
 * exchanged with them and with Hadoop's TeraGen and TeraValidate.
 */
package dev.anemone.examples.terasort;
