// SPDX-License-Identifier: Apache-2.0
/**
 * Beam's schema transforms, {@code Select}, {@code Group}, {@code Join} and their like, said in the
 * relational IR, so that programs without SQL run in columns as well.
 */
package dev.anemone.beam.schema;
