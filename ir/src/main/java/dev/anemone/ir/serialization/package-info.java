// SPDX-License-Identifier: Apache-2.0
/**
 * Graphs, their parts and messages as bytes, by Kryo 5 with registered classes, on their way
 * between client, application master and tasks of one version of the project.
 */
package dev.anemone.ir.serialization;
