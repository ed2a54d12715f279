// SPDX-License-Identifier: Apache-2.0
/** What every experiment needs: where files lie, sizes, errors. */
package dev.anemone.evaluation.lab;
