/** Execution properties: how a vertex or an edge is to be run, one class per property. */
package dev.anemone.ir.property;
