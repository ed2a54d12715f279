// SPDX-License-Identifier: Apache-2.0
/** The changes of a graph that keep the meaning of the program, one class per change. */
package dev.anemone.ir.edit;
