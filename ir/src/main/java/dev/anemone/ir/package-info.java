// SPDX-License-Identifier: Apache-2.0
/**
 * The intermediate representation of a pipeline: an immutable DAG of vertices and edges that carry
 * execution properties.
 *
 * <p>The model (vertices, edges, execution properties, semantics-preserving edits) follows Apache
 * Nemo's IR, as published in Yang et al., <i>Apache Nemo: A Framework for Building Distributed
 * Dataflow Optimization Policies</i>, USENIX ATC 2019.
 */
package dev.anemone.ir;
