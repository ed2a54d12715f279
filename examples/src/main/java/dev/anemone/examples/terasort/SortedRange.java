// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.Serializable;
import org.apache.beam.sdk.coders.DefaultCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * A range whose records lie sorted in a file that has no final name yet.
 *
 * @param range number of the range, from 0
 * @param file where the records are
 * @param records number of records
 */
@DefaultCoder(SerializableCoder.class)
record SortedRange(int range, ResourceId file, long records) implements Serializable {}
